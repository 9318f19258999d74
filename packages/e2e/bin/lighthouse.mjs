// Prints Lighthouse's report of a page on a phone as JSON: scores out of 100, the metrics, and the audits that are not
// perfect. Usage: node lighthouse.mjs <chromium> <url> <categories>
import process from 'node:process'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

const [, , chromePath, url, ...onlyCategories] = process.argv
const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'speed-index',
  'total-blocking-time',
  'cumulative-layout-shift',
]

const chrome = await launch({
  chromePath,
  chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
})
const { lhr } = await lighthouse(url, {
  port: chrome.port,
  logLevel: 'error',
  onlyCategories,
})
await chrome.kill()

const scored = (part) => Math.round((part.score ?? 0) * 100)
const isImperfect = ({ score, scoreDisplayMode }) =>
  score !== null && score < 1 && scoreDisplayMode !== 'informative'
const report = {
  scores: Object.fromEntries(
    Object.entries(lhr.categories).map(([name, category]) => [name, scored(category)]),
  ),
  metrics: Object.fromEntries(metrics.map((id) => [id, lhr.audits[id]?.displayValue])),
  imperfect: Object.values(lhr.audits)
    .filter(isImperfect)
    .map(({ id, displayValue }) => [id, displayValue].filter(Boolean).join(': ')),
}
process.stdout.write(JSON.stringify(report))
