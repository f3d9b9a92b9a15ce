/** An answer that says no, in one of the body shapes the real services use. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  /** A string goes out as text/plain, anything else as JSON. */
  body: unknown;
}

/** `{type:"error", error:{type, message}, request_id}`: what the model's own vendor says. */
export function vendorRefusal(message: string, type = 'invalid_request_error', status = 400): Refusal {
  return { status, body: { error: { message, type }, request_id: 'req_011SimuLatedSimuLatedSimu', type: 'error' } };
}

/** `{error:{message, code}}`. */
export function codeRefusal(message: string, code: string, more: Record<string, unknown> = {}): Refusal {
  return { status: 400, body: { error: { message, code, ...more } } };
}

/** `{message}`. */
export function flatRefusal(message: string): Refusal {
  return { status: 400, body: { message } };
}

/** text/plain. */
export function textRefusal(status: number, text: string): Refusal {
  return { status, body: text };
}

/** The words for a field that the API does not have: `inference_geo: Extra inputs are not permitted`. */
export function extraInput(path: string): Refusal {
  return flatRefusal(`${path}: Extra inputs are not permitted`);
}

/** Sample: `error-400-model_not_supported`. */
export function modelNotSupported(): Refusal {
  return codeRefusal('The requested model is not supported.', 'model_not_supported', {
    param: 'model',
    type: 'invalid_request_error',
  });
}

/** The model is there, but not on this path. */
export function wrongPathForModel(model: string, path: string): Refusal {
  return codeRefusal(`model "${model}" is not accessible via the ${path} endpoint`, 'unsupported_api_for_model');
}
