#if !canImport(AVFoundation)

    /// Stand-in that holds the name of camera positions and nothing else: how frames are captured is the program's matter.
    public enum AVCaptureDevice {
        /// Where a camera sits. Raw values are AVFoundation's.
        public enum Position: Int, Sendable {
            case unspecified = 0
            case back = 1
            case front = 2
        }
    }

#endif
