// GraphQL's executor asks the environment, while it is loaded, whether it is being developed. It never is: import this first.
// eslint-disable-next-line no-restricted-properties -- not a setting of ours, and not read but set
process.env['GRAPHILE_ENV'] = 'production';
