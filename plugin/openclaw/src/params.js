/** The parameters of tools: their JSON schemas, and reading them. */

/** @param {string} description */
export const text = (description) => ({ type: "string", description });

/** @param {string[]} values */
export const oneOf = (values) => ({ type: "string", enum: values });

/**
 * @param {number} minimum
 * @param {number} [maximum]
 */
export const integer = (minimum, maximum) => ({ type: "integer", minimum, ...(maximum ? { maximum } : {}) });

export const toggle = { type: "boolean" };

/**
 * Returns a text that must be there.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {string}
 */
export function required(value, name) {
  if (typeof value !== "string" || value.trim() === "") throw new TypeError(`${name} is required`);
  return value.trim();
}

/**
 * Returns a whole number between 1 and the maximum.
 *
 * @param {unknown} value
 * @param {number} fallback
 * @param {number} maximum
 */
export function limited(value, fallback, maximum) {
  const wanted = Math.trunc(Number(value ?? fallback));
  return Number.isFinite(wanted) ? Math.min(Math.max(wanted, 1), maximum) : fallback;
}
