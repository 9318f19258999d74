import { hiddenField, phoneField, textField } from './fields'
import { render } from './html'

test('links a label, a hint and an error to their field', () => {
  const text = render(
    phoneField({ name: 'phone', label: 'Phone', hint: 'Like 0712', error: 'Too short' }),
  )
  expect(text).toContain('<label for="field-phone">Phone</label>')
  expect(text).toContain('aria-describedby="field-phone-error field-phone-hint"')
  expect(text).toContain('aria-invalid="true"')
  expect(text).toContain('<p class="field-error" id="field-phone-error">Too short</p>')
})

test('has no hint or error when there is none', () => {
  const text = render(textField({ name: 'name', label: 'Name', value: '"x"' }))
  expect(text).toContain('value="&quot;x&quot;"')
  expect(text).not.toMatch(/aria-/)
})

test('escapes the value of a hidden field', () => {
  expect(render(hiddenField('key', 'a"b'))).toContain('type="hidden" name="key" value="a&quot;b"')
})
