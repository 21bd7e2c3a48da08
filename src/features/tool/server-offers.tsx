import type { SourceState } from '../../../core/api/sources.ts'
import { isObject } from '../../../core/json/json.ts'
import { Badge } from '../../ui/badge.tsx'
import { plural } from '../../ui/format.ts'
import { Icons } from './tool-head.tsx'

const promptsAndResources = 'Prompts & resources'

/** The prompts, resources, capabilities and icons of an MCP server; renders nothing without any. */
export function ServerOffers({ source }: { readonly source: SourceState }) {
  const { name, surface, capabilities = {}, icons } = source
  const declared = Object.entries(capabilities)
  if (!surface && declared.length === 0 && !icons) return null
  const counts = surface && [
    plural(surface.prompts, 'prompt'),
    plural(surface.resources, 'resource'),
    plural(surface.templates, 'resource template'),
    ...(surface.skills === undefined ? [] : [plural(surface.skills, 'skill')]),
  ]
  return (
    <section className="stack" aria-label={promptsAndResources} data-testid="server-offers">
      <h2>{promptsAndResources}</h2>
      {counts && <p>{counts.join(' · ')}</p>}
      {declared.length > 0 && (
        <div className="row wrap">
          <span className="muted">Capabilities</span>
          {declared.map(([capability, value]) => (
            <Badge key={capability}>{[capability, ...listEnabledOptions(value)].join(' · ')}</Badge>
          ))}
        </div>
      )}
      {icons && (
        <div className="row wrap">
          <span className="muted">Icons</span>
          <Icons icons={icons} of={name} />
        </div>
      )}
    </section>
  )
}

/** Returns the enabled options of a capability: `subscribe`, `listChanged`. */
function listEnabledOptions(value: unknown): readonly string[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([option, on]) => (on === false ? [] : [option.slice(0, 60)]))
}
