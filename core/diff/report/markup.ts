import { visible } from './format.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML and XML, in elements and in quoted attributes. What neither may hold is written out. */
export function escapeMarkup(text: string): string {
  return visible(text)
    .replaceAll(/[&<>"']/g, character => entities[character] ?? '')
    .replaceAll(
      /[\ufffe\uffff]|[\ud800-\udfff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
}
