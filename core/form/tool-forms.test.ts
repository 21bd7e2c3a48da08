import { describe, expect, it } from 'vitest'
import { readToolForms } from './tool-forms.ts'

const tool = (ref: string) => ({ ref, name: ref.slice(ref.indexOf('/') + 1) })

describe('forms of toolscope.json', () => {
  it('match by name, reference and pattern; the more exact form wins for each property', () => {
    const forms = readToolForms({
      'acme/api greet': { name: { 'ui:title': 'by reference' } },
      '*': { 'ui:order': ['*'], name: { 'ui:title': 'by *', 'ui:help': 'by *', 'ui:placeholder': 'by *' } },
      'api greet': { name: { 'ui:title': 'by name', 'ui:help': 'by name' } },
      'API *': { name: { 'ui:title': 'by pattern', 'ui:options': { rows: 4 } } },
    })
    expect(forms.problems).toEqual([])
    expect(forms.uiSchemaOf(tool('acme/api greet'))).toEqual({
      'ui:order': ['*'],
      name: {
        'ui:title': 'by reference',
        'ui:help': 'by name',
        'ui:placeholder': 'by *',
        'ui:options': { rows: 4 },
      },
    })
    expect(forms.uiSchemaOf(tool('other/api greet'))).toMatchObject({ name: { 'ui:title': 'by name' } })
    expect(forms.uiSchemaOf(tool('other/api list'))).toMatchObject({ name: { 'ui:title': 'by pattern' } })
    expect(readToolForms({ 'acme/*': {} }).uiSchemaOf(tool('other/acme'))).toBeUndefined()
  })

  it('match only the whole name, in the same case, if the key has no *', () => {
    const forms = readToolForms({ greet: {} })
    expect(forms.uiSchemaOf(tool('acme/Greet'))).toBeUndefined()
    expect(forms.uiSchemaOf(tool('acme/api greet'))).toBeUndefined()
  })

  it('accept items of tuples and branches of unions', () => {
    const uiSchema = { at: { items: [{ 'ui:title': 'latitude' }, {}] }, anyOf: [{ 'ui:title': 'a' }] }
    expect(readToolForms({ '*': uiSchema }).uiSchemaOf(tool('a/b'))).toEqual(uiSchema)
  })

  it('leave out what a form cannot show, and say where', () => {
    const { problems, uiSchemaOf } = readToolForms({
      a: 'textarea',
      b: {
        'ui:widgt': 'textarea',
        'ui:readonly': 'yes',
        'ui:classNames': 'overlay',
        'ui:options': { title: { html: '<b>' }, rows: 4 },
        name: ['textarea'],
        kept: { 'ui:title': 'Kept' },
      },
    })
    expect(problems).toEqual([
      'at forms.a: must be an object: a uiSchema',
      'at forms.b.ui:widgt: unknown key; did you mean "ui:widget"?',
      'at forms.b.ui:readonly: must be true or false',
      expect.stringMatching(/^at forms\.b\.ui:classNames: unknown key; known are ui:widget, /),
      'at forms.b.ui:options.title: must be a text',
      'at forms.b.name.0: must be an object: a uiSchema',
    ])
    expect(uiSchemaOf(tool('x/b'))).toEqual({
      'ui:options': { rows: 4 },
      name: [{}],
      kept: { 'ui:title': 'Kept' },
    })
    expect(readToolForms(['a']).problems).toEqual(['at forms: must be an object from tools to uiSchemas'])
  })

  it('keep a property called __proto__, and refuse nesting deeper than 100 levels', () => {
    const forms = readToolForms(
      JSON.parse('{"*": {"__proto__": {"ui:title": "a"}}, "b": {"__proto__": {"ui:help": "h"}}}'),
    )
    expect(JSON.stringify(forms.uiSchemaOf(tool('a/b')))).toBe('{"__proto__":{"ui:title":"a","ui:help":"h"}}')
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}{}${'}'.repeat(5_000)}`)
    expect(readToolForms({ b: deep }).problems).toEqual([expect.stringMatching(/deeper than 100 levels$/)])
  })

  it('report keys that match no tool, and suggest the right name', () => {
    const forms = readToolForms({ 'api *': {}, 'acme/api gret': {}, 'nothing*': {} })
    expect(forms.unmatchedKeys([tool('acme/api greet')])).toEqual([
      'at forms.acme/api gret: no tool has this name; did you mean "acme/api greet"?',
      'at forms.nothing*: no tool has this name',
    ])
  })
})
