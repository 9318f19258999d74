import type { Page } from './page'

export type Language = 'bash' | 'js' | 'python' | 'php'

/** One fenced block of a page that a reader runs. */
export interface Snippet {
  readonly slug: string
  readonly language: Language
  readonly code: string
  /** The words after the language: `paid` when a payer pays during the run, `refused=2702` when the API refuses. */
  readonly words: readonly string[]
  /** The output that the page shows for the block. */
  readonly prints: Printed | undefined
}

/** `json` must match except for ids and times, `json example` only in its fields, `text` word for word. */
export interface Printed {
  readonly kind: 'json' | 'json example' | 'text'
  readonly text: string
}

const languages: readonly string[] = ['bash', 'js', 'python', 'php']
const kinds: readonly string[] = ['json', 'json example', 'text']

/** The fenced blocks that are run, each with its shown output. Throws for a block that is neither run nor output. */
export function snippetsOf({ slug, markdown }: Page): Snippet[] {
  const fences = Array.from(
    markdown.matchAll(/^```(.*)\n([^]*?)^```$/gm),
    ([, info = '', text = '']) => {
      return { info, text }
    },
  )
  const blocks = fences.map(({ info, text }, at) => {
    const [language = '', ...words] = info.split(' ')
    if (kinds.includes(info)) return []
    if (!languages.includes(language)) throw new Error(`${slug}: a block of "${info}" is not run`)
    const next = fences.slice(at + 1).find((fence) => !isOther(language, fence.info))
    const answer = next !== undefined && answers(language, next.info) ? next : undefined
    const prints = answer && { kind: answer.info as Printed['kind'], text: answer.text }
    return [{ slug, language: language as Language, code: text, words, prints }]
  })
  return blocks.flat()
}

/** Whether a block is the same step in another language. Such blocks may stand between a snippet and its output. */
function isOther(language: string, info: string): boolean {
  const [other = ''] = info.split(' ')
  return languages.includes(other) && other !== 'bash' && other !== language
}

/** Whether a block shows what the snippet before it prints: JSON after curl, text after a program. */
function answers(language: string, info: string): boolean {
  return info === 'text' ? language !== 'bash' : language === 'bash' && info.startsWith('json')
}
