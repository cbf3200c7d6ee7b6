import { ApiError } from './api-error.ts'

/** The answer to a request for probabilities that the model does not tell: of `a prompt`, of `a reply`. */
export function noLogProbabilities(name: string, of: string, param: string): ApiError {
  return new ApiError(400, { message: `${param}: ${name} does not return log-probabilities of ${of}`, param, code: 'unsupported' })
}
