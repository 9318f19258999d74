/** One refused field of a request. */
export interface FieldProblem {
  readonly path: string
  readonly message: string
}

/** An error answer. `code` is the number in the API: https://…/docs lists them all. */
export class MalipoError extends Error {
  readonly status: number
  /** 2702 amount outside the limits, 2781 key refused, 2783 no such checkout, 1804 too many requests, 2752 try again */
  readonly code: number
  /** The id of the request, for support to find this answer. */
  readonly requestId: string
  /** The refused fields, with code 1701. */
  readonly problems: readonly FieldProblem[]

  constructor(status: number, body: ErrorBody) {
    const problems = body.errors ?? []
    const where = problems.map(({ path, message }) => `${path} ${message}`).join(', ')
    super(`${body.description}${where && `: ${where}`} (code ${String(body.code)})`)
    this.name = 'MalipoError'
    this.status = status
    this.code = body.code
    this.requestId = body.request_id
    this.problems = problems
  }
}

/** No answer came, or a malformed one: the request may have succeeded. */
export class MalipoConnectionError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MalipoConnectionError'
  }
}

export interface ErrorBody {
  readonly code: number
  readonly description: string
  readonly request_id: string
  readonly errors?: readonly FieldProblem[]
}
