import type { IntentStatus } from '../../intents/rules/intent'

export interface KnownStep {
  readonly status: IntentStatus
  readonly at: Date
}

interface Attempt {
  readonly status: IntentStatus
  readonly createdAt: Date
  readonly submittedAt: Date | null
  readonly settledAt: Date | null
  readonly endedAt: Date | null
}

/**
 * The steps that the row of an attempt still shows once its stored steps are detached. The step to `reversed` is
 * missing: only the refund has its time.
 */
export function knownSteps(attempt: Attempt): KnownStep[] {
  const { status, createdAt, submittedAt, settledAt, endedAt } = attempt
  const steps: KnownStep[] = [{ status: 'created', at: createdAt }]
  if (submittedAt !== null) steps.push({ status: 'submitted', at: submittedAt })
  if (settledAt !== null) steps.push({ status: 'completed', at: settledAt })
  else if (endedAt !== null) steps.push({ status, at: endedAt })
  return steps
}
