import { BookOpenText, FileInput, FileText, type LucideIcon, MessageSquareText, Wrench } from 'lucide-react'
import type { SurfaceKind } from '../../core/tool/tool.ts'

interface CallWords {
  readonly noun: string
  readonly icon: LucideIcon
  readonly action: string
  readonly running: string
  /** Shown before the first call. */
  readonly empty: string
  readonly emptyText: string
}

/** The page's words for calling a tool, a prompt or a resource. */
const callWords: Readonly<Record<SurfaceKind | 'tool', CallWords>> = {
  tool: {
    noun: 'tool',
    icon: Wrench,
    action: 'Call',
    running: 'Calling…',
    empty: 'No result yet',
    emptyText: 'Call the tool to see its output.',
  },
  prompt: {
    noun: 'prompt',
    icon: MessageSquareText,
    action: 'Get prompt',
    running: 'Getting…',
    empty: 'No messages yet',
    emptyText: 'The messages of the prompt appear here, next to its arguments.',
  },
  resource: {
    noun: 'resource',
    icon: FileText,
    action: 'Read resource',
    running: 'Reading…',
    empty: 'Not read yet',
    emptyText: 'What the resource holds appears here.',
  },
  template: {
    noun: 'resource template',
    icon: FileInput,
    action: 'Read resource',
    running: 'Reading…',
    empty: 'Not read yet',
    emptyText: 'Fill in the variables to read a resource.',
  },
  skill: {
    noun: 'skill',
    icon: BookOpenText,
    action: 'Get skill',
    running: 'Getting…',
    empty: 'Not read yet',
    emptyText: 'Its SKILL.md, or another file of it, appears here after its digest was checked.',
  },
}

export const getCallWords = ({ kind }: { readonly kind?: SurfaceKind }): CallWords =>
  callWords[kind ?? 'tool']
