import type { IncomingMessage } from 'node:http'
import { request as express, type Response } from 'express'
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

/** The part of a request that shows the reader's language. */
type LanguageRequest = Pick<IncomingMessage, 'url' | 'headers'>

/** The reader's language: from the address (`?lang=sw`), the cookie, the browser's header, or English. */
export function chooseTexts(request: LanguageRequest): Texts {
  const wanted = [
    chosenLanguage(request),
    /(?:^|;) *lang=(\w+)/.exec(request.headers.cookie ?? '')?.[1],
    // The method of Express, also for a request that Express does not see.
    express.acceptsLanguages.call(request, ...languages),
  ]
  return wanted.flatMap((name) => (isLanguage(name) ? [dictionaries[name]] : []))[0] ?? english
}

/** Stores the chosen language in a cookie, which holds nothing else about the payer. */
export function rememberLanguage(
  request: LanguageRequest,
  response: Response,
  isEncrypted: boolean,
): void {
  const language = chosenLanguage(request)
  if (!isLanguage(language)) return
  response.cookie('lang', language, {
    maxAge: aYearSeconds * 1_000,
    httpOnly: true,
    sameSite: 'lax',
    secure: isEncrypted,
  })
}

/** A sentence in the plural form of its number. */
export function countText({ lang }: Texts, counted: Counted, count: number): string {
  return counted[pluralOf(lang, count)].replace('#', String(count))
}

const pluralRules: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  sw: new Intl.PluralRules('sw'),
  lg: new Intl.PluralRules('lg'),
}

function pluralOf(lang: Language, count: number): keyof Counted {
  return pluralRules[lang].select(count) === 'one' ? 'one' : 'other'
}

function chosenLanguage({ url = '' }: LanguageRequest): string | null {
  return new URLSearchParams(url.split('?')[1]).get('lang')
}

function isLanguage(name: string | false | null | undefined): name is Language {
  return typeof name === 'string' && Object.hasOwn(dictionaries, name)
}
