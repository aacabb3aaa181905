package import HearthWork

/// A queue of runs in the sandbox, for callers that wait for the answer. Projects take turns.
///
/// A caller takes a place before it sends what the run needs, so that only a limited amount of that is on the server.
package protocol QueueWithPlaces: Sendable {
    var queue: PlaceQueue { get }
}

extension QueueWithPlaces {
    /// A place for one run of the project; nil if it must wait for others.
    package func place(of project: String) -> QueuePlace? { queue.place(of: project) }

    /// How many places are taken.
    package var takenPlaces: Int { queue.takenPlaces }

    /// Ends what runs and waits. `completion` is called when nothing runs any more; at once if nothing does.
    package func stop(_ completion: @escaping @Sendable () -> Void) { queue.stop(completion) }

    /// Does the work when it is its turn, and then calls back once, from a thread that may wait. The place is free again
    /// before the call.
    func run<Value, Failure>(
        in place: QueuePlace, _ work: @escaping @Sendable () throws(Failure) -> Value,
        stopping: Failure, _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) {
        queue.run(for: place.project) { isStopping in
            let result: Result<Value, Failure> = isStopping ? .failure(stopping) : Result(catching: work)
            place.giveUp()
            completion(result)
        }
    }
}
