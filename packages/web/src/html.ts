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

/** Turn or hide what is around them (Unicode's bidirectional controls), or take no room: another name in the same letters. */
const unseen =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/g
/** No script writes more on one letter; a pile of them covers the lines around it. */
const piledMarks = /(\p{Mark}{4})\p{Mark}+/gu
/** Joiners shape letters and pictures, and are nothing by themselves. */
const nothing = /^[\s\u200c\u200d]*$/
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * What people may show to people: without the characters with which a description could make another amount or payee out
 * of ours, and with what is written from the right kept to itself. Empty when nothing of it can be seen.
 */
export function displayText(text: string): string {
  const seen = text.replace(unseen, '').replace(piledMarks, '$1')
  if (nothing.test(seen)) return ''
  return rightToLeft.test(seen) ? `\u2068${seen}\u2069` : seen
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
