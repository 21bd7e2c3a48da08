import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { splitFrontmatter } from '../../core/text/frontmatter.ts'
import { shorten } from '../../core/text/wording.ts'
import styles from './markdown.module.css'
import { isSafeLink } from './markdown-check.ts'

/**
 * Renders hostile text: HTML stays text, images are not loaded, links lead only to the web and mail, in a new tab. The
 * target of another link is text, because it may be the result: a path, an address of a resource.
 */
const components: Components = {
  a({ href, children }) {
    if (!isSafeLink(href))
      return (
        <>
          {children}
          {href !== children && <Target address={href} />}
        </>
      )
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        {children}
      </a>
    )
  },
  img: ({ alt, src }) => (
    <span>
      [image: {alt || 'without a description'}
      <Target address={src} />]
    </span>
  ),
  // A task of a list is text: a disabled check box would look like a field of the surrounding form.
  input: ({ checked }) => (checked ? '☑' : '☐'),
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
}

/** Characters of a shown target: an address may hold a whole file. */
const maxTarget = 300

/** A script or a whole file as an address says nothing. */
const hiddenAddress = /^(?:javascript|vbscript|data):/i

/** A link's target as it was written: the parser escapes it. */
function Target({ address }: { readonly address: unknown }) {
  if (typeof address !== 'string' || address === '' || hiddenAddress.test(address)) return null
  let text = address
  try {
    text = decodeURI(address)
  } catch {
    // It was not escaped.
  }
  return <code> {shorten(text, maxTarget)}</code>
}

const plugins = [remarkGfm]

/** Renders Markdown, its frontmatter as text. The module is loaded with the first text that needs it. */
export function MarkdownBody({ text }: { readonly text: string }) {
  const { frontmatter, body } = splitFrontmatter(text)
  return (
    <div className={styles.markdown}>
      {frontmatter !== undefined && <pre>{frontmatter}</pre>}
      <ReactMarkdown
        remarkPlugins={plugins}
        components={components}
        // The components above decide what becomes a link.
        urlTransform={url => url}
      >
        {body}
      </ReactMarkdown>
    </div>
  )
}
