import { hiddenField, phoneField, textField } from './fields'
import { render } from './html'

test('a field is labelled, and tied to its hint and its error', () => {
  const text = render(
    phoneField({ name: 'phone', label: 'Phone', hint: 'Like 0712', error: 'Too short' }),
  )
  expect(text).toContain('<label for="field-phone">Phone</label>')
  expect(text).toContain('aria-describedby="field-phone-error field-phone-hint"')
  expect(text).toContain('aria-invalid="true"')
  expect(text).toContain('<p class="field-error" id="field-phone-error">Too short</p>')
})

test('a field without remarks has none', () => {
  const text = render(textField({ name: 'name', label: 'Name', value: '"x"' }))
  expect(text).toContain('value="&quot;x&quot;"')
  expect(text).not.toMatch(/aria-/)
})

test('a hidden field carries its value escaped', () => {
  expect(render(hiddenField('key', 'a"b'))).toContain('type="hidden" name="key" value="a&quot;b"')
})
