import { posix } from 'node:path'
import { type Html, trusted } from '@malipo/web/html'
import MarkdownIt from 'markdown-it'
import { anchorOf, type Page } from './page'

/** What a reader calls each language of a snippet. */
const languages: Readonly<Record<string, string>> = {
  bash: 'curl',
  js: 'Node',
  python: 'Python',
  php: 'PHP',
}

// Without `html`, markup in a page is text.
const parser = new MarkdownIt({ html: false, linkify: false })
const escape = parser.utils.escapeHtml
type Tokens = ReturnType<typeof parser.parse>

/** A page as HTML without any script: headings that link to themselves, tables and code that scroll by keyboard too. */
export function renderPage({ slug, markdown }: Page): Html {
  return trusted(parser.render(markdown, { slug }))
}

Object.assign(parser.renderer.rules, {
  heading_open: (tokens: Tokens, at: number) => {
    const { tag = 'h2' } = tokens[at] ?? {}
    if (tag === 'h1') return '<h1>'
    const anchor = anchorOf(tokens[at + 1]?.content ?? '')
    return `<${tag} id="${anchor}"><a class="anchor" href="#${anchor}">`
  },
  heading_close: (tokens: Tokens, at: number) => {
    const { tag = 'h2' } = tokens[at] ?? {}
    return tag === 'h1' ? '</h1>\n' : `</a></${tag}>\n`
  },
  table_open: () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n',
  table_close: () => '</table></div>\n',
  link_open: (
    tokens: Tokens,
    at: number,
    _options: object,
    { slug }: { readonly slug: string },
  ) => {
    const target = String(tokens[at]?.attrGet('href') ?? '')
    return `<a href="${escape(addressOf(slug, target))}">`
  },
  fence: (tokens: Tokens, at: number) => {
    const { content = '' } = tokens[at] ?? {}
    const code = `<pre tabindex="0"><code>${escape(content)}</code></pre>\n`
    const language = languageAt(tokens, at)
    if (language === undefined) return code
    const isFirst = languageAt(tokens, at - 1) === undefined
    return `<details class="snippet"${isFirst ? ' open' : ''}><summary>${language}</summary>${code}</details>\n`
  },
})

function languageAt(tokens: Tokens, at: number): string | undefined {
  const { type, info = '', content = '' } = tokens[at] ?? {}
  if (type !== 'fence') return undefined
  const language = languages[info.split(' ')[0] ?? '']
  return language === 'curl' && !content.startsWith('curl') ? 'Shell' : language
}

/** Pages link to each other's Markdown (`errors/2784.md#why`); readers of HTML get `/docs/errors/2784#why`. */
export function addressOf(slug: string, target: string): string {
  const [, path, anchor = ''] = /^([^:#]+)\.md(#.*)?$/.exec(target) ?? []
  if (path === undefined) return target
  return docsPath(posix.join(posix.dirname(slug), path)) + anchor
}

/** Where a page is on its host. */
export function docsPath(slug: string): string {
  return slug === 'home' ? '/docs' : `/docs/${slug}`
}
