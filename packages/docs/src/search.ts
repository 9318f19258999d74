import { anchorOf, type Page, plainText } from './page'

export interface Found {
  readonly slug: string
  /** The anchor of the heading; undefined for the beginning of a page. */
  readonly anchor: string | undefined
  readonly title: string
  readonly excerpt: string
}

interface Part extends Found {
  readonly heading: string
  readonly text: string
}

const foundMax = 20
const excerptLength = 160

/** Finds the parts of pages in which every word of a question occurs, those with it in a heading first. */
export function openSearch(pages: readonly Page[]): (question: string) => readonly Found[] {
  const parts = pages.flatMap(partsOf)
  return (question) => {
    const words = question.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []
    if (words.length === 0) return []
    const score = ({ heading, text }: Part) =>
      words.every((word) => text.includes(word) || heading.includes(word))
        ? 1 + words.filter((word) => heading.includes(word)).length
        : 0
    return parts
      .map((part) => ({ ...part, score: score(part) }))
      .filter((part) => part.score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, foundMax)
  }
}

function partsOf({ slug, title, markdown }: Page): Part[] {
  return markdown.split(/^(?=#{1,3} )/m).map((part) => {
    const [first = '', ...rest] = part.split('\n')
    const heading = plainText(first)
    const isBeginning = first.startsWith('# ')
    const text = plainText(rest.join('\n').replaceAll(/^```[^]*?^```$|^\|[-|]+\|$/gm, ''))
    return {
      slug,
      anchor: isBeginning ? undefined : anchorOf(heading),
      title: isBeginning ? title : `${title}: ${heading}`,
      excerpt: text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text,
      heading: heading.toLowerCase(),
      text: text.toLowerCase(),
    }
  })
}
