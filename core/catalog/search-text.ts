import { nameSegments, type Tool } from '../tool/tool.ts'
import { fieldNames } from './field-names.ts'
import { fold, startsWord } from './text.ts'
import { Vocabulary } from './vocabulary.ts'

/** Points for a word by the best place it stands in; the gaps keep name over title over description over field. */
const points = { name: 10_000, title: 1000, description: 100, field: 10 }

/** How far into a description or a list of fields a typo is forgiven: reading all of it took two seconds at 50,000 tools. */
const maxTypoCharacters = 200

/** The catalog's text, folded once at the first search. */
export class SearchText {
  readonly names: readonly string[]
  readonly titles: readonly string[]
  readonly descriptions: readonly string[]
  readonly fields: readonly string[]
  private readonly tools: readonly Tool[]
  private near: { readonly likely: [Vocabulary, number][]; rest?: [Vocabulary, number][] } | undefined

  constructor(tools: readonly Tool[]) {
    this.tools = tools
    this.names = tools.map(tool => fold(tool.name))
    this.titles = tools.map(tool => fold(tool.title ?? tool.annotations?.title ?? ''))
    this.descriptions = tools.map(tool => fold(tool.description ?? ''))
    this.fields = tools.map(tool => fold(fieldNames(tool.inputSchema)))
  }

  /** Points of one tool for one word; 0 where the word is nowhere. */
  exact(index: number, word: string): number {
    const name = this.names[index] ?? ''
    const inName = name.indexOf(word)
    if (inName >= 0) return points.name + this.nameBonus(index, name, word, inName)
    const title = this.titles[index] ?? ''
    const inTitle = title.indexOf(word)
    if (inTitle >= 0) return points.title + (startsWord(title, inTitle) ? 1 : 0)
    const description = this.descriptions[index] ?? ''
    const inDescription = description.indexOf(word)
    if (inDescription >= 0) return points.description + (startsWord(description, inDescription) ? 1 : 0)
    return (this.fields[index] ?? '').includes(word) ? points.field : 0
  }

  private nameBonus(index: number, name: string, word: string, at: number): number {
    if (name === word) return 500
    if (nameSegments(name).at(-1) === word) return 400
    if (!startsWord(this.tools[index]?.name ?? '', at)) return 0
    return at + word.length === name.length || startsWord(name, at + word.length) ? 300 : 200
  }

  /** Vocabularies for typos. Descriptions and fields hold most of the text, so they are read only when names fail. */
  vocabularies(all: boolean): readonly [Vocabulary, number][] {
    const vocabularyOf = (read: (tool: Tool) => string) => new Vocabulary(this.tools.map(read))
    this.near ??= {
      likely: [
        [vocabularyOf(tool => tool.name), points.name],
        [vocabularyOf(tool => tool.title ?? tool.annotations?.title ?? ''), points.title],
      ],
    }
    if (!all) return this.near.likely
    this.near.rest ??= [
      [new Vocabulary(this.descriptions.map(text => text.slice(0, maxTypoCharacters))), points.description],
      [new Vocabulary(this.fields.map(text => text.slice(0, maxTypoCharacters))), points.field],
    ]
    return [...this.near.likely, ...this.near.rest]
  }
}
