import { type Docs, openDocs } from '@malipo/docs/docs'
import { openDocsHtml } from '@malipo/docs/docs-html'
import { openSearch } from '@malipo/docs/search'
import { openApiDocument, type DocumentOptions } from '@malipo/interface/openapi/document'
import { postmanCollection } from '@malipo/interface/openapi/postman-collection'
import { type Answer, jsonAnswer } from '@malipo/runtime/answer'
import type { HandlerFactory, Operation } from '@malipo/runtime/handler-factory'
import type { Route } from '@malipo/runtime/open-app'
import { nonceOf } from '@malipo/web/page-headers'

const questionLengthMax = 100

/** The documentation: HTML pages, each also as Markdown, and the OpenAPI document. All of it is public. */
export function docsRoutes(
  options: DocumentOptions & { readonly toPageHandler: HandlerFactory },
): readonly Route[] {
  const docs = openDocs(options)
  const page = showPage(docs)
  const toHandler = options.toPageHandler
  return [
    { method: 'get', path: '/', operation: goToDocs, toHandler },
    { method: 'get', path: '/docs', operation: page, toHandler },
    { method: 'get', path: '/docs/', operation: goToDocs, toHandler },
    { method: 'get', path: '/docs/search', operation: searchPages(docs), toHandler },
    { method: 'get', path: '/docs/llms.txt', operation: always(plain(docs.llmsText)) },
    { method: 'get', path: '/docs/openapi.json', operation: docsJson(openApiDocument(options)) },
    { method: 'get', path: '/docs/postman.json', operation: docsJson(postmanCollection(options)) },
    { method: 'get', path: '/docs/:page', operation: page, toHandler },
    { method: 'get', path: '/docs/errors/:code', operation: page, toHandler },
  ]
}

/** `GET /`: the host has no home page; a visitor is redirected to the documentation. */
const goToDocs = always({
  status: 302,
  headers: { Location: '/docs', 'Cache-Control': 'no-store' },
  body: '',
})

/** `GET /docs/{page}`, `/docs/errors/{code}`, and both with `.md`. */
function showPage(docs: Docs): Operation {
  const show = openDocsHtml(docs)
  return ({ path }, response) => {
    const [, slug = 'home', isMarkdown] = /^\/docs\/(.+?)(\.md)?$/.exec(path) ?? []
    const page = docs.find(slug)
    if (page === undefined) return answer(htmlPage(404, show.missing(nonceOf(response))))
    return answer(
      isMarkdown === undefined
        ? htmlPage(200, show.page(page, nonceOf(response)))
        : plain(page.markdown, 'text/markdown'),
    )
  }
}

/** `GET /docs/search?q=`: runs on the server, so it needs no script. */
function searchPages(docs: Docs): Operation {
  const search = openSearch(docs.pages)
  const show = openDocsHtml(docs)
  return ({ url }, response) => {
    const { searchParams } = new URL(url, 'http://host')
    const question = (searchParams.get('q') ?? '').trim().slice(0, questionLengthMax)
    return answer(htmlPage(200, show.search(question, search(question), nonceOf(response))))
  }
}

/** `GET /docs/openapi.json`, `/docs/postman.json`: readable by pages of any origin. */
function docsJson(document: object): Operation {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' }
  return always(jsonAnswer(200, document, headers))
}

function htmlPage(status: number, body: string): Answer {
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body }
}

function plain(body: string, type = 'text/plain'): Answer {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  }
  return { status: 200, headers, body }
}

function always(given: Answer): Operation {
  return () => answer(given)
}

function answer(given: Answer): Promise<Answer> {
  return Promise.resolve(given)
}
