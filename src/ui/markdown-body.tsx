import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import styles from './markdown.module.css'
import { isSafeLink } from './markdown-check.ts'

/**
 * Hostile text: HTML stays text (nothing is lost, nothing is run), no images from elsewhere, links only to the web and
 * mail, and they open apart.
 */
const components: Components = {
  a({ href, children }) {
    if (!isSafeLink(href)) return <>{children}</>
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        {children}
      </a>
    )
  },
  img: ({ alt }) => <span>[image: {alt ?? 'without a description'}]</span>,
  // A task of a list: a control that nobody can use would be one more field of the form around it.
  input: ({ checked }) => (checked ? '☑' : '☐'),
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
}

const plugins = [remarkGfm]

/** The parsed text; loaded only with the first text that needs it. */
export function MarkdownBody({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown}>
      <ReactMarkdown
        remarkPlugins={plugins}
        components={components}
        urlTransform={url => (isSafeLink(url) ? url : '')}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
