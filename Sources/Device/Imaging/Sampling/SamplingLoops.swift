import CSampling

/// Which of the C loops to use.
enum SamplingLoops {
    case fastest
    case portable

    var table: UnsafePointer<hearth_sampling> {
        switch self {
        case .fastest: hearth_sampling_fastest()
        case .portable: hearth_sampling_portable()
        }
    }
}
