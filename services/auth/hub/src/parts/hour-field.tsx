import { Labelled } from './field'

export interface HourFieldProps {
  readonly value: string
  readonly onChange?: (hour: string) => void
}

/** One hour of a day, for a day that has more rows than a file. */
export function HourField({ value, onChange }: HourFieldProps) {
  return (
    <Labelled name="hour" label="Hour">
      <select
        id="field-hour"
        name="hour"
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        <option value="">Whole day</option>
        {hours.map((hour) => (
          <option key={hour} value={padded(hour)} selected={padded(hour) === value}>
            {padded(hour)}:00 to {padded(hour + 1)}:00
          </option>
        ))}
      </select>
    </Labelled>
  )
}

const padded = (hour: number) => String(hour).padStart(2, '0')
const hours = Array.from({ length: 24 }, (_, hour) => hour)
