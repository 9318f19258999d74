import { junit } from './junit'

test('counts cases and failures, and escapes what a message quotes', () => {
  const report = junit([
    { file: 'a.yaml', name: 'Paid', tookMs: 1_250, failure: undefined },
    {
      file: 'b.yaml',
      name: 'A & B',
      tookMs: 250,
      failure: { line: 7, message: '<b> is "1"\u0000' },
    },
  ])
  expect(report).toContain('<testsuites tests="2" failures="1" errors="0" time="1.500">')
  expect(report).toContain('<testcase classname="a.yaml" name="Paid" time="1.250" />')
  expect(report).toContain('name="A &amp; B"')
  expect(report).toContain(
    '<failure message="&lt;b&gt; is &quot;1&quot;\uFFFD">b.yaml:7: &lt;b&gt; is &quot;1&quot;\uFFFD</failure>',
  )
})

test('keeps an emoji, and replaces half of one, which XML does not allow', () => {
  const [thumb, half] = ['\u{1F44D}', '\uD83D']
  const report = junit([
    { file: 'a.yaml', name: `Paid ${thumb} ${half}`, tookMs: 0, failure: undefined },
  ])
  expect(report).toContain(`name="Paid ${thumb} \uFFFD"`)
})
