import { createContext, use, useEffect, useState } from 'react'
import { isObject } from '../../../../core/json/json.ts'
import { plainLine } from '../../../../core/text/plain-text.ts'
import { shorten } from '../../../../core/text/wording.ts'
import type { ContentBlock } from '../../../../core/tool/invocation.ts'
import { formatBytes, formatTime } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { Markdown } from '../../../ui/markdown.tsx'
import { isSafeLink } from '../../../ui/markdown-check.ts'
import { ScrollRegion } from '../../../ui/scroll.tsx'
import { texts } from '../texts.ts'
import { base64Size, decodeBase64, isAudioType, isImageType, toResourceFileName } from './media.ts'
import styles from './viewers.module.css'

/** Opens a resource of the tool's own server by its address; undefined if the server has no resources. */
export const OpenResource = createContext<((uri: string) => void) | undefined>(undefined)

/** Characters of one block that are rendered. */
const maxTextLength = 200_000

/** All blocks of a result in order: text, images, audio, resources; the messages of a prompt with their roles. */
export function ContentViewer({ content }: { readonly content: readonly ContentBlock[] }) {
  return (
    <ScrollRegion className={styles.content} label={texts.result}>
      {content.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity, and are never reordered
        <div key={index} className={block.role === undefined ? undefined : styles.message}>
          {typeof block.role === 'string' && <h3 className={styles.role}>{block.role}</h3>}
          <Block block={block} />
          <BlockAnnotations annotations={block.annotations} />
        </div>
      ))}
    </ScrollRegion>
  )
}

/** The audience of a block, how important it is (0 to 1), and when it was changed; nothing without any. */
function BlockAnnotations({ annotations }: Pick<ContentBlock, 'annotations'>) {
  const facts = describeAnnotations(annotations)
  return facts.length === 0 ? null : (
    <p className="note" data-testid="annotations">
      {facts.join(' · ')}
    </p>
  )
}

/** Readers that are listed, and characters of each text that are shown. */
const maxReaders = 5
const maxAnnotationLength = 60

/** Returns the annotations that MCP defines as words. Accepts any value; ignores what is not as MCP defines it. */
function describeAnnotations(annotations: unknown): readonly string[] {
  if (!isObject(annotations)) return []
  const formatText = (text: string) => shorten(plainLine(text), maxAnnotationLength)
  const { audience, priority, lastModified } = annotations
  const readers = Array.isArray(audience) ? audience.filter(reader => typeof reader === 'string') : []
  return [
    ...(readers.length > 0
      ? [`for the ${readers.slice(0, maxReaders).map(formatText).join(' and the ')}`]
      : []),
    ...(typeof priority === 'number' ? [`priority ${priority}`] : []),
    ...(typeof lastModified === 'string'
      ? [`changed ${formatText(formatTime(lastModified, new Date()))}`]
      : []),
  ]
}

function Block({ block }: { readonly block: ContentBlock }) {
  switch (block.type) {
    case 'text':
      return <div className={join('wrapped', styles.text)}>{block.text.slice(0, maxTextLength)}</div>
    case 'image':
    case 'audio':
      return <MediaViewer {...block} />
    case 'resource_link':
      return <ResourceLink {...block} />
    case 'resource':
      return <Resource {...block.resource} />
    default:
      // A source may send kinds that this version of the protocol lacks.
      return (
        <div className={join('wrapped', styles.text)}>
          {JSON.stringify(block, null, 2).slice(0, maxTextLength)}
        </div>
      )
  }
}

function ResourceLink(link: Extract<ContentBlock, { type: 'resource_link' }>) {
  const { uri, title, name, mimeType, description } = link
  const text = title ?? name ?? uri
  return (
    <div>
      <Link uri={uri} text={text} />
      <p className="note">
        {text !== uri && <code>{uri} </code>}
        {[mimeType, description].filter(Boolean).join(' · ')}
      </p>
    </div>
  )
}

interface ResourceProps {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
}

function Resource({ uri, mimeType = '', text, blob }: ResourceProps) {
  const type = isImageType(mimeType) ? 'image' : isAudioType(mimeType) ? 'audio' : undefined
  return (
    <div>
      <p className="note">
        <Link uri={uri} text={uri} /> {mimeType}
      </p>
      {text !== undefined && (
        <div className={join('wrapped', styles.text)}>{text.slice(0, maxTextLength)}</div>
      )}
      {blob !== undefined && type && <MediaViewer type={type} data={blob} mimeType={mimeType} />}
      {blob !== undefined && !type && <BlobLink data={blob} mimeType={mimeType} uri={uri} />}
    </div>
  )
}

function Link({ uri, text }: { readonly uri: string; readonly text: string }) {
  const openResource = use(OpenResource)
  if (!isSafeLink(uri) && openResource)
    return (
      <button type="button" className="link" onClick={() => openResource(uri)}>
        {text}
      </button>
    )
  if (!isSafeLink(uri)) return <code>{text}</code>
  return (
    <a href={uri} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  )
}

/** A text result read as markdown. */
export function MarkdownViewer({ text }: { readonly text: string }) {
  return (
    <ScrollRegion className={styles.content} label={texts.result}>
      <Markdown text={text} />
    </ScrollRegion>
  )
}

interface MediaViewerProps {
  readonly type: 'image' | 'audio'
  readonly data: string
  readonly mimeType: string
}

/** An image, or audio with the browser's own controls, which never starts by itself. A text for other types. */
function MediaViewer({ type, data, mimeType }: MediaViewerProps) {
  const isFit = type === 'image' ? isImageType(mimeType) : isAudioType(mimeType)
  const url = useDataUrl(data, isFit ? mimeType : undefined)
  const label = `Result: ${mimeType}`
  return (
    <figure className={styles.figure}>
      {url && type === 'image' && <img className={styles.image} src={url} alt={label} />}
      {/* biome-ignore lint/a11y/useMediaCaption: a tool's audio has no captions */}
      {url && type === 'audio' && <audio controls src={url} aria-label={label} />}
      <figcaption className="note">
        {mimeType} · {formatBytes(base64Size(data))}
        {!url && `: cannot be ${type === 'image' ? 'shown as an image' : 'played'}`}
      </figcaption>
    </figure>
  )
}

interface BlobLinkProps {
  readonly data: string
  readonly mimeType: string
  readonly uri: string
}

/** A link that saves bytes that the page does not render. */
function BlobLink({ data, mimeType, uri }: BlobLinkProps) {
  // A neutral type, whatever the source declares, so that the browser never runs the data.
  const url = useDataUrl(data, 'application/octet-stream')
  const caption = `${mimeType || 'unknown type'} · ${formatBytes(base64Size(data))}`
  return (
    <p className="note">
      {url ? (
        <a href={url} download={toResourceFileName(uri)}>
          Save {toResourceFileName(uri)}
        </a>
      ) : (
        'Its data cannot be decoded'
      )}{' '}
      · {caption}
    </p>
  )
}

/** Returns a URL for base64 data while the component is mounted; undefined without a type, or for invalid data. */
function useDataUrl(data: string, mimeType: string | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const bytes = mimeType === undefined ? undefined : decodeBase64(data)
    if (!bytes) return
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType ?? '' }))
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [data, mimeType])
  return url
}
