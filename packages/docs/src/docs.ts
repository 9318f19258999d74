import { openApiDocument, type DocumentOptions } from '@malipo/interface/openapi/document'
import { errorPages, errorsPage } from './error-pages'
import type { Page } from './page'
import { readPages } from './read-pages'
import { type ReferenceDocument, referencePage } from './reference'
import { sections } from './sections'

export interface Docs {
  /** Every page in the order of the navigation, then the pages of the error codes. */
  readonly pages: readonly Page[]
  /** A page by its path below `/docs/`, such as `quickstart` or `errors/2784`; undefined when there is none. */
  find(slug: string): Page | undefined
  /** `/docs/llms.txt`: all pages as links to their Markdown, in the format of llmstxt.org. */
  readonly llmsText: string
}

/**
 * The documentation of one payments host, with the currency, limits and addresses of that host. Throws when a page is
 * missing or incomplete.
 */
export function openDocs(options: DocumentOptions): Docs {
  const document = openApiDocument(options) as unknown as ReferenceDocument
  const generated = [referencePage(document), errorsPage()]
  const written = readPages(options)
  const known = new Map([...written, ...generated].map((page) => [page.slug, page]))
  const inOrder = sections
    .flatMap(({ slugs }) => slugs)
    .map((slug) => {
      const page = known.get(slug)
      if (page === undefined) throw new Error(`The documentation has no page ${slug}`)
      return page
    })
  const pages = [...inOrder, ...errorPages()]
  const bySlug = new Map(pages.map((page) => [page.slug, page]))
  return {
    pages,
    find: (slug) => bySlug.get(slug),
    llmsText: llmsText(inOrder, options.baseUrl),
  }
}

function llmsText(pages: readonly Page[], baseUrl: string): string {
  const [home, ...others] = pages
  const links = others.map(
    ({ slug, title, summary }) => `- [${title}](${baseUrl}/docs/${slug}.md): ${summary}`,
  )
  const document = `- [OpenAPI 3.1](${baseUrl}/docs/openapi.json): every route, field and answer`
  return `# ${home?.title ?? ''}\n\n> ${home?.summary ?? ''}\n\n## Pages\n\n${[...links, document].join('\n')}\n`
}
