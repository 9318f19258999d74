import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

interface Loaded {
  readonly requests: number
  readonly bytes: number
}

const kilobyte = 1_024

/** The transferred bytes of a screen of this HTML, if above the limit for a slow network. */
export async function tooHeavy(page: Page, document: string): Promise<string[]> {
  const { requests, bytes } = await page.evaluate<Loaded>(`(() => {
    const loads = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
    return {
      requests: loads.length,
      bytes: loads.reduce((sum, { transferSize }) => sum + transferSize, 0),
    }
  })()`)
  const scripts = /<script[^]*?<\/script>/g
  // The script is measured without comments, as a build sends it.
  const script = (document.match(scripts) ?? []).join('').replaceAll(/^ *(?:\/\/|\/?\*).*/gm, '')
  const measured = {
    'requests, of 3': requests / 3,
    'bytes, of 25 KB': bytes / (25 * kilobyte),
    'bytes of script, of 5 KB': compressed(script) / (5 * kilobyte),
    'bytes of HTML and CSS, of 14 KB': compressed(document.replace(scripts, '')) / (14 * kilobyte),
  }
  const over = Object.entries(measured).filter(([, part]) => part > 1)
  // Zero bytes mean that the page was not measured.
  return bytes === 0
    ? ['weighs nothing']
    : over.map(([what, part]) => `${part.toFixed(2)} of the ${what}`)
}

function compressed(text: string): number {
  return gzipSync(text).byteLength
}

const thumb = 44

/** Clickable elements less than 44 pixels high; a checkbox counts with its label. */
export function tooSmallForAThumb(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a, button, summary, label:has(input), input:not([type=radio], [type=checkbox])')]
    .filter((part) => part.checkVisibility({ visibilityProperty: true }))
    .map((part) => [part.textContent.trim() || part.name, part.getBoundingClientRect().height])
    .filter(([, height]) => height < ${String(thumb)})
    .map(([name, height]) => name + ' is ' + height + ' high')`)
}
