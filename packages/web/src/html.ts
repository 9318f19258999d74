/**
 * Markup that is safe by construction: every value that enters a template is escaped unless it is markup itself.
 *
 *     html`<p title="${merchantText}">${[row, row]}</p>`
 *
 * Attributes must be quoted: escaping cannot help an attribute without quotes.
 */
const markup: unique symbol = Symbol('markup')

export interface Html {
  readonly [markup]: string
}

/** What a template takes. `false` and `undefined` leave nothing behind, so that `condition && html...` reads well. */
export type Child = Html | string | number | bigint | false | undefined | readonly Child[]

export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Html {
  return wrap(strings.map((text, index) => text + textOf(children[index])).join(''))
}

/** Takes text as markup, unescaped: for files of our own, never for anything that came in. */
export function trusted(text: string): Html {
  return wrap(text)
}

export function render(page: Html): string {
  return page[markup]
}

/**
 * What people may show to people: without the characters that reverse or hide the text around them (Unicode's
 * bidirectional controls), with which a description could make another amount or payee out of ours.
 */
export function displayText(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
}

function wrap(text: string): Html {
  return { [markup]: text }
}

function textOf(child: Child): string {
  if (child === undefined || child === false) return ''
  if (typeof child !== 'object') return escape(String(child))
  return isList(child) ? child.map(textOf).join('') : child[markup]
}

function isList(child: Html | readonly Child[]): child is readonly Child[] {
  return Array.isArray(child)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
