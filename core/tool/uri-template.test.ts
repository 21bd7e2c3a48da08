import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandTemplate, readTemplate, templateVariables } from './uri-template.ts'

// The values and expansions of RFC 6570, sections 1.2, 2.4 and 3.2.
const values = {
  count: ['one', 'two', 'three'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: 6,
  x: 1024,
  y: 768,
  empty: '',
  empty_list: [],
}

test.each([
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['?{x,empty}', '?1024,'],
  ['?{undef,y}', '?768'],
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{list}', 'red,green,blue'],
  ['{list*}', 'red,green,blue'],
  ['{+hello}', 'Hello%20World!'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['{+path:6}/here', '/foo/b/here'],
  ['X{#var}', 'X#value'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['X{.list*}', 'X.red.green.blue'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{;list*}', ';list=red;list=green;list=blue'],
  ['{?x,y}', '?x=1024&y=768'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['{?x,y,undef}', '?x=1024&y=768'],
  ['{?list}', '?list=red,green,blue'],
  ['{?list*}', '?list=red&list=green&list=blue'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{&var:3}', '&var=val'],
  ['{?empty_list}', ''],
  ['no {} braces {two words}', 'no {} braces {two words}'],
])('expandTemplate: expands %s to %s', (template, address) => {
  expect(expandTemplate(template, values)).toBe(address)
})

test('templateVariables: names each variable once, those of a query as optional', () => {
  expect(templateVariables('db://{table}/{table}{/rest*}{?limit,order*}')).toEqual([
    { name: 'table', isList: false, isOptional: false },
    { name: 'rest', isList: true, isOptional: false },
    { name: 'limit', isList: false, isOptional: true },
    { name: 'order', isList: true, isOptional: true },
  ])
})

test('expandTemplate: never throws, for any template and value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.anything(), (text, value) => {
      for (const { name } of templateVariables(text)) expandTemplate(text, { [name]: value })
      expandTemplate('{+v}{v}', { v: text })
    }),
  )
})

test.each([
  ['demo://resource/{id}', 'demo://resource/7', { id: '7' }],
  ['db://{table}/{row}/end', 'db://people/a%2Fb/end', { table: 'people', row: 'a/b' }],
  ['file:///{+path}', 'file:///home/a%20b/notes.md', { path: 'home/a b/notes.md' }],
  ['plain://text', 'plain://text', {}],
  ['demo://resource/{id}', 'demo://other/7', undefined],
  ['demo://resource/{id}', 'demo://resource/7/more', undefined],
  ['demo://{a}{b}', 'demo://xy', undefined],
  ['demo://x{?q}', 'demo://x?q=1', undefined],
  ['demo://{id}', 'demo://%', undefined],
])('readTemplate: matches %s with %s and reads %j', (template, address, values) => {
  expect(readTemplate(template, address)).toEqual(values)
})

test('readTemplate: reads values that expand to the same address again', () => {
  let count = 0
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), fc.string(), (template, address, value) => {
      const whole = expandTemplate(`${address}/{value}`, { value })
      expect(readTemplate(`${address}/{v}`, whole)).toEqual({ v: value })
      for (const each of [template, '{v}://{+w}', '{+v}/{w}']) {
        const read = readTemplate(each, `${address}/${value}`)
        if (read) {
          count += 1
          expect(expandTemplate(each, read)).toBe(`${address}/${value}`)
        }
      }
    }),
  )
  expect(count).toBeGreaterThan(10)
})
