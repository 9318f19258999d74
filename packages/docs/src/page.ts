/** One page of the documentation, as Markdown: a title, a paragraph that says what it is, and the rest. */
export interface Page {
  /** Its path below `/docs/`; `home` is `/docs` itself. */
  readonly slug: string
  readonly title: string
  /** The first paragraph, as plain text. */
  readonly summary: string
  readonly markdown: string
}

/** Throws when the text does not begin with a title and a paragraph. */
export function makePage(slug: string, markdown: string): Page {
  const [, title = '', paragraph = ''] =
    /^# (.+)\n\n([^#`|][\s\S]*?)\n(?:\n|$)/.exec(markdown) ?? []
  if (title === '') throw new Error(`Page ${slug} must begin with a title and a paragraph`)
  return { slug, title, summary: plainText(paragraph), markdown }
}

/** Markdown without its marks, on one line: for summaries and excerpts. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]|^#+ /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The name of a heading in an address: `What to do` -> `what-to-do`. */
export function anchorOf(heading: string): string {
  return plainText(heading)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
