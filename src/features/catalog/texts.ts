import { formatCount } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The search and the list
  catalog: 'Catalog',
  searchTheCatalog: 'Search the catalog',
  searchTools: 'Search tools',
  clearSearch: 'Clear search',
  noToolHasAllWords: 'No tool has all these words. Best matches:',
  noToolsYet: 'No tools yet',
  noToolMatches: 'No tool matches',
  clearSearchAndFilters: 'Clear search and filters',
  nothingContainsWords: 'No name, title, description or field has any of these words.',
  shownOfTotal: (matched: number, total: number) => `${formatCount(matched)} of ${formatCount(total)}`,

  // The filters
  onlySource: (source: string) => `Only source ${source}: show all again`,
  filters: 'Filters',
  effectsNote: 'Read-only and destructive together show both.',

  // The tree of tools
  tools: 'Tools',

  // A row and its marks
  loading: 'Loading',
  viewOnly: 'view only',
  declaredBySource: (label: string) => `${label}: declared by the source (unverified)`,
  readOnly: 'read-only',
  destructive: 'destructive',

  // Favorites and recent tools
  favorite: 'Favorite',
  recent: 'Recent',
  favoritesAndRecent: 'Favorites and recent',
  favoritesAndRecentTools: 'Favorites and recent tools',
} as const
