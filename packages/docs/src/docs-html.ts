import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Html, html } from '@malipo/web/html'
import { layout } from '@malipo/web/layout'
import { darkTokens, tokens } from '@malipo/web/styles'
import type { Docs } from './docs'
import type { Page } from './page'
import { docsPath, renderPage } from './render-markdown'
import type { Found } from './search'
import { sections } from './sections'

const styles = tokens + darkTokens + readFileSync(join(__dirname, 'docs.css'), 'utf8')

/** Turns pages into HTML documents. Each page is rendered once, at its first request. */
export function openDocsHtml(docs: Docs) {
  const rendered = new Map<string, Html>()
  const bodyOf = (page: Page) => {
    const known = rendered.get(page.slug) ?? renderPage(page)
    rendered.set(page.slug, known)
    return known
  }
  return {
    page: (page: Page, nonce: string) => {
      const source = html`<p class="source">
        <a href="${`/docs/${page.slug}.md`}">This page as Markdown</a>
      </p>`
      const main = html`${bodyOf(page)}${source}`
      return documentOf({ docs, title: page.title, main, nonce, current: page.slug })
    },
    search: (question: string, found: readonly Found[], nonce: string) => {
      const title = question === '' ? 'Search' : `Search: ${question}`
      return documentOf({ docs, title, main: results(question, found), nonce, question })
    },
    missing: (nonce: string) => {
      const main = html`<h1>There is no such page</h1>
        <p>Search for it, or choose one of the pages.</p>`
      return documentOf({ docs, title: 'There is no such page', main, nonce })
    },
  }
}

interface Document {
  readonly docs: Docs
  readonly title: string
  readonly main: Html
  readonly nonce: string
  readonly current?: string
  readonly question?: string
}

function documentOf({ docs, title, main, nonce, current, question = '' }: Document): string {
  const body = html`<a class="skip" href="#main">Skip to the text</a>
    <header class="top">
      <a class="brand" href="/docs">Malipo docs</a>
      <a class="to-pages" href="#pages">All pages</a>
      <form action="/docs/search" role="search">
        <label for="q">Words to search for</label>
        <input id="q" name="q" type="search" value="${question}" maxlength="100" />
        <button type="submit">Search</button>
      </form>
    </header>
    <div class="columns">
      <main id="main" tabindex="-1">${main}</main>
      <nav id="pages" aria-label="Pages">
        ${sections.map(
          (section) =>
            html`<p class="section">${section.title}</p>
              <ul>
                ${section.slugs.map((slug) => item(docs, slug, slug === current))}
              </ul>`,
        )}
      </nav>
    </div>`
  return layout({ lang: 'en', title: `${title} · Malipo docs`, nonce, styles, body })
}

function item(docs: Docs, slug: string, isCurrent: boolean): Html {
  const title = slug === 'home' ? 'Overview' : (docs.find(slug)?.title ?? slug)
  return isCurrent
    ? html`<li><a href="${docsPath(slug)}" aria-current="page">${title}</a></li>`
    : html`<li><a href="${docsPath(slug)}">${title}</a></li>`
}

function results(question: string, found: readonly Found[]): Html {
  if (found.length === 0) {
    return html`<h1>Search</h1>
      <p>
        ${question === '' ? 'Type a word or a code, such as 2784.' : `No page has "${question}".`}
      </p>`
  }
  return html`<h1>Search: ${question}</h1>
    <ul class="found">
      ${found.map(
        ({ slug, anchor, title, excerpt }) =>
          html`<li>
            <a href="${docsPath(slug)}${anchor === undefined ? '' : `#${anchor}`}">${title}</a>
            <p>${excerpt}</p>
          </li>`,
      )}
    </ul>`
}
