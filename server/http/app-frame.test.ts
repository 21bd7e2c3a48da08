import { expect, it } from 'vitest'
import { addObserver } from './app-frame.ts'

it('addObserver: empties the links that connect to another origin, and nothing else', () => {
  const added = (html: string) => addObserver(html, 'nonce').split('</script>').slice(1).join('</script>')
  for (const rel of ['preconnect', '"dns-prefetch"', "'icon prefetch'", 'PRERENDER', 'modulepreload'])
    for (const href of ['https://a.example', '"//a.example"', "'HTTP://a.example'"])
      expect(added(`<p><link rel=${rel} crossorigin href=${href}>`), `${rel} ${href}`).toBe('<p><link >')
  for (const html of [
    '<link rel=stylesheet href="https://a.example/prefetch.css">',
    '<link rel=modulepreload href="data:text/javascript,">',
    '<script>const text = \'<link rel=preconnect href="https://a.example">\'</script>',
    '<link rel=preconnect',
  ])
    expect(added(html)).toBe(html)
  expect(added('<script></script><link href=//a.example rel=preconnect>')).toBe('<script></script><link >')
})

it('addObserver: is fast on the worst HTML of a megabyte', () => {
  for (const part of [
    '<link',
    '<script',
    '<link rel=',
    '<link rel = href = ',
    `<link ${' rel='.repeat(190)}`,
  ])
    addObserver(part.repeat(1_000_000 / part.length), 'nonce')
})
