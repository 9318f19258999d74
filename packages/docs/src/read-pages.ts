import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentOptions } from '@malipo/interface/openapi/document'
import {
  countries,
  type Country,
  type CountryRules,
  type MobileRail,
  railNames,
} from '@malipo/kernel/countries'
import { type Minor, minorPerMajor } from '@malipo/kernel/money'
import { promptTimes } from '@malipo/kernel/prompts'
import { causesTable } from './causes'
import { makePage, type Page } from './page'
import { generatedSlugs, sections } from './sections'

/** How the magic numbers of the simulator begin on the default network of a country. */
const testPrefixes = { ke: '254700555', ug: '256770555' } as const satisfies Record<Country, string>

const pagesDir = join(__dirname, '../pages')

/** Reads the pages that are files, and fills in the values of this host. */
export function readPages(options: DocumentOptions): readonly Page[] {
  const values = valuesOf(options)
  return sections
    .flatMap(({ slugs }) => slugs)
    .filter((slug) => !generatedSlugs.includes(slug))
    .map((slug) => {
      const text = readFileSync(join(pagesDir, `${slug}.md`), 'utf8')
      return makePage(slug, fill(slug, text, values))
    })
}

/** Puts values where a page says `{{name}}`. */
function fill(slug: string, text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`Page ${slug} names {{${name}}}, which has no value`)
    return value
  })
}

function valuesOf({ rules, baseUrl, authUrl }: DocumentOptions) {
  return {
    base_url: baseUrl,
    hub_url: `${authUrl}/hub`,
    currency: rules.currency,
    min_minor: String(rules.minMinor),
    max_minor: String(rules.maxMinor),
    min: grouped(rules.minMinor),
    max: grouped(rules.maxMinor),
    checkout_id: `${rules.checkoutIdPrefix}0123456789abcdef01234567`,
    test_prefix: testPrefixes[rules.country],
    rail: rules.mobileRails[0],
    ...mobileMoney('ke', rules),
    ...mobileMoney('ug', rules),
    causes: causesTable(),
  }
}

/** The networks, rails and prompts of a country: those of this host, or all that another country can have. */
function mobileMoney(country: Country, rules: CountryRules) {
  const { mobileRails } = country === rules.country ? rules : countries[country]
  const prompts = mobileRails.map((rail) => `${openFor(rail)} (${railNames[rail]})`)
  const rails = mobileRails.map(
    (rail, index) => `\`${rail}\`${index === 0 ? ' (the default)' : ''}`,
  )
  return {
    [`${country}_networks`]: mobileRails.map((rail) => railNames[rail]).join(', '),
    [`${country}_rails`]: rails.join(', '),
    [`${country}_prompts`]: prompts.join(', '),
  }
}

function openFor(rail: MobileRail): string {
  const { promptSeconds } = promptTimes[rail]
  return promptSeconds > 60
    ? `${String(promptSeconds / 60)} minutes`
    : `${String(promptSeconds)} seconds`
}

/** `15000000n` -> `150,000`. */
function grouped(minor: Minor): string {
  return (minor / minorPerMajor).toLocaleString('en-US')
}
