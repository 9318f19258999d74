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

/** The values of a template. `false` and `undefined` render nothing, so that `condition && html...` works. */
export type Child = Html | string | number | bigint | false | undefined | readonly Child[]

export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Html {
  return wrap(strings.map((text, index) => text + textOf(children[index])).join(''))
}

/** Marks text as markup without escaping it: only for files of ours, because other text could carry a script. */
export function trusted(text: string): Html {
  return wrap(text)
}

export function render(page: Html): string {
  return page[markup]
}

/** Characters that reverse or hide other text (Unicode's bidirectional controls), or are invisible. */
const unseen =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/g
/** Everyday text has at most four marks on one letter; a pile of marks covers other lines. */
const piledMarks = /(\p{Mark}{4})\p{Mark}+/gu
/** Matches a text of white space and joiners only. Joiners shape letters and emoji, and are invisible alone. */
const nothing = /^[\s\u200c\u200d]*$/
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * Cleans text written by people: drops characters that could change another amount or payee on the page, and isolates
 * right-to-left text. Empty when nothing visible is left.
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
