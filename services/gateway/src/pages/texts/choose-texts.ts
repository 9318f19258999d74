import type { IncomingHttpHeaders } from 'node:http'
import type { Response } from 'express'
import { english } from './english'
import { luganda } from './luganda'
import { swahili } from './swahili'
import type { Counted, Language, Texts } from './texts'

export const dictionaries: Readonly<Record<Language, Texts>> = {
  en: english,
  sw: swahili,
  lg: luganda,
}
const languages = Object.keys(dictionaries)
const aYearSeconds = 31_536_000

/** As much of an express request as says what its sender reads. */
interface Asked {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  acceptsLanguages(languages: readonly string[]): string | false
}

/** In the reader's language: as the address says (`?lang=sw`), as chosen before, as the browser asks, or in English. */
export function chooseTexts(request: Asked): Texts {
  const wanted = [
    asked(request),
    /(?:^|;) *lang=(\w+)/.exec(request.headers.cookie ?? '')?.[1],
    request.acceptsLanguages(languages),
  ]
  return wanted.flatMap((name) => (isLanguage(name) ? [dictionaries[name]] : []))[0] ?? english
}

/** Keeps the choice of an address for the pages that follow: it names a language and nothing about the payer. */
export function rememberLanguage(request: Asked, response: Response, isEncrypted: boolean): void {
  const language = asked(request)
  if (!isLanguage(language)) return
  response.cookie('lang', language, {
    maxAge: aYearSeconds * 1_000,
    httpOnly: true,
    sameSite: 'lax',
    secure: isEncrypted,
  })
}

/** A sentence with its number, in the plural that the number takes. */
export function countText({ lang }: Texts, counted: Counted, count: number): string {
  return counted[pluralOf(lang, count)].replace('#', String(count))
}

function pluralOf(lang: Language, count: number): keyof Counted {
  return new Intl.PluralRules(lang).select(count) === 'one' ? 'one' : 'other'
}

function asked({ url }: Asked): string | null {
  return new URLSearchParams(url.split('?')[1]).get('lang')
}

function isLanguage(name: string | false | null | undefined): name is Language {
  return typeof name === 'string' && Object.hasOwn(dictionaries, name)
}
