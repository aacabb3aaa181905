#if !canImport(AVFoundation)

    /// Stand-in that only names the positions of cameras. The app itself captures frames.
    public enum AVCaptureDevice {
        /// The position of a camera. Raw values are AVFoundation's.
        public enum Position: Int, Sendable {
            /// The position is unknown.
            case unspecified = 0
            /// On the side away from the user.
            case back = 1
            /// On the side of the user.
            case front = 2
        }
    }

#endif
