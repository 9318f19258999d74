const { createTransformer } = require('@swc/jest')

/**
 * Jest's compiler with one bug planted: `mutant` replaces the text between two places of a file. No file is written.
 */
module.exports = {
  createTransformer({ mutant: { file, start, end, to }, ...options }) {
    const compiler = createTransformer(options)
    const planted = (source, path) =>
      path === file ? source.slice(0, start) + to + source.slice(end) : source
    return {
      ...compiler,
      process: (source, path, given) => compiler.process(planted(source, path), path, given),
      getCacheKey: (source, path, given) =>
        compiler.getCacheKey(planted(source, path), path, given),
    }
  },
}
