import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import styles from './markdown.module.css'
import { isSafeLink } from './markdown-check.ts'

/** Renders hostile text: HTML stays text, images are not loaded, links lead only to the web and mail, in a new tab. */
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
  // A task of a list is text: a disabled check box would look like a field of the surrounding form.
  input: ({ checked }) => (checked ? '☑' : '☐'),
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
}

const plugins = [remarkGfm]

/** Renders Markdown. The module is loaded with the first text that needs it. */
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
