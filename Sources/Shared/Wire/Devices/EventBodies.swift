/// Bodies of `POST /hearth/v1/projects/{project}/events`, with which a device reports events, exposures and the
/// health of its models.
///
/// Items that a device sends twice are counted once: the device numbers its items within a journal, and the server
/// stores the last number of each journal together with the counts.
public enum EventBodies {
    /// The most items and the most bytes of a batch.
    package static let itemLimit = 500
    package static let byteLimit = 256 * 1024
    /// The largest value of an event, positive or negative. A server refuses the whole batch because of a larger one.
    package static let valueLimit = 1e12

    package struct Batch: Codable, Sendable, KeyedBody {
        /// The name of the device's list of items: 22 random letters, digits, hyphens or underscores, chosen when the
        /// list begins.
        package var journal: String
        /// The items in the order of their numbers.
        package var items: [Item]

        package enum CodingKeys: String, CodingKey, CaseIterable { case journal, items }

        package static var parts: [String: any KeyedBody.Type] { ["items": Item.self] }

        package init(journal: String, items: [Item]) {
            self.journal = journal
            self.items = items
        }
    }

    /// An event, an exposure, or counts of a model's health; exactly one of the three.
    package struct Item: Codable, Sendable, Hashable, KeyedBody {
        /// 1, 2, 3 … within the journal. Numbers may be missing, but are never used again.
        package var sequence: Int64
        /// The time by the device's clock, RFC 3339. Only for readers: no decision uses it.
        package var time: String
        package var event: Event?
        package var exposure: Exposure?
        package var health: ModelHealth?

        package enum CodingKeys: String, CodingKey, CaseIterable { case sequence, time, event, exposure, health }

        package static var parts: [String: any KeyedBody.Type] {
            ["event": Event.self, "exposure": Exposure.self, "health": ModelHealth.self]
        }

        package init(sequence: Int64, time: String, event: Event) {
            self.sequence = sequence
            self.time = time
            self.event = event
        }

        package init(sequence: Int64, time: String, exposure: Exposure) {
            self.sequence = sequence
            self.time = time
            self.exposure = exposure
        }

        package init(sequence: Int64, time: String, health: ModelHealth) {
            self.sequence = sequence
            self.time = time
            self.health = health
        }
    }

    package struct Event: Codable, Sendable, Hashable, KeyedBody {
        /// `[A-Za-z][A-Za-z0-9_]{0,39}`.
        package var name: String
        /// A finite number.
        package var value: Double?
        /// The display name of the event's model.
        package var model: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, value, model }

        package init(name: String, value: Double? = nil, model: String? = nil) {
            self.name = name
            self.value = value
            self.model = model
        }
    }

    /// The exposure of an installation to its variant of an experiment: it read a parameter that the experiment varies,
    /// or used a model that the experiment varies.
    package struct Exposure: Codable, Sendable, Hashable, KeyedBody {
        package var experiment: String
        package var variant: String
        /// When the experiment started, as the server sent it: another experiment may have had the same name before.
        package var start: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case experiment, variant, start }

        package init(experiment: String, variant: String, start: String? = nil) {
            self.experiment = experiment
            self.variant = variant
            self.start = start
        }
    }

    package struct Response: Codable, Sendable {
        /// The highest stored number of the journal. The device need not keep items up to that number.
        package var accepted: Int64

        package init(accepted: Int64) { self.accepted = accepted }
    }

    /// The events that the server has received recently.
    public struct Summary: Codable, Sendable {
        /// The events of one name on one day.
        public struct Row: Codable, Sendable, Hashable {
            /// `2026-11-21`, in UTC by the server's clock.
            public var day: String
            /// The events' name.
            public var event: String
            /// The display name of the events' model; nil for none.
            public var model: String?
            /// The number of events.
            public var count: Int64
            /// The sum of the values; events without a value count as 0.
            public var sum: Double

            package init(day: String, event: String, model: String?, count: Int64, sum: Double) {
                self.day = day
                self.event = event
                self.model = model
                self.count = count
                self.sum = sum
            }
        }

        /// The rows, newest day first, then by name.
        public var events: [Row]?

        package init(events: [Row]?) { self.events = events }
    }
}

/// Names of the events that Hearth itself reports about models, if the app allows it.
package enum ModelEvents {
    /// The model could not be loaded; no value.
    package static let loadFailure = "model_load_failure"
    /// The time of a run, in milliseconds.
    package static let inferenceMilliseconds = "model_inference_ms"
    /// The confidence of the best label or object, 0 to 1.
    package static let confidence = "model_confidence"
}
