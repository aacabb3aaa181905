@_exported public import Foundation
// Whole, for the many constants. The module has no names beyond the original's but `EventsError` and those of single methods.
@_exported public import HearthEvents
