import 'postgraphile';

/** Gives names that PostGraphile itself would make clumsy. */
export const NamesPlugin: GraphileConfig.Plugin = {
  name: 'NamesPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      /** A function that returns a table is named after its rows; one of them is a singular. */
      functionRecordReturnCodecName(_previous, _options, details) {
        return this.upperCamelCase(this.singularize(this.functionResourceName(details)));
      },
      /** A list is there instead of pages, not beside them. */
      customQueryListField(_previous, _options, details) {
        return this.customQueryField(details);
      },
    },
  },
};
