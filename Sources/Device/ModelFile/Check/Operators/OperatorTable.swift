import HearthConcurrency

/// What each builtin operator requires, in one table for each family.
///
/// The engine's kernels do not check everything that they rely on, so operators that do not fit these tables may end
/// the process. Each row is one way to use an operator. `OperandRequirement` and `OperatorRequirement` describe how
/// rows are read.
enum OperatorTable {
    /// The ways to use an operator; nil for operators that the engine lacks.
    static func needs(of code: Int) -> [OperatorRequirement]? {
        guard let rows = rows[code] else { return nil }
        return known.withLock { known in
            if let needs = known[code] { return needs }
            let needs = rows.map(read)
            known[code] = needs
            return needs
        }
    }

    /// The options that the table requires, for the parser of the file: the type's number and the fields with their
    /// defaults.
    static func options(of code: Int) -> OptionRequirement? {
        needs(of: code)?.lazy.compactMap(\.options).first
    }

    /// The parsed rows. Parsing all of them takes longer than loading a small model, so an operator's rows are parsed
    /// when a model uses it.
    private static let known = Lock<[Int: [OperatorRequirement]]>([:])

    /// The rows for each operator, not parsed yet. Searched as bytes, because a search in a `String` takes many times
    /// as long.
    private static let rows: [Int: [Substring]] = {
        var rows: [Int: [Substring]] = [:]
        for family in [arithmetic, matrices, images, reductions, shapes, lookups, others] {
            for line in family.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
                let names = line.prefix { $0 != UInt8(ascii: " ") }
                for name in names.split(separator: UInt8(ascii: ",")) {
                    for code in BuiltinOperator.codes(String(Substring(name))) {
                        rows[code, default: []].append(Substring(line))
                    }
                }
            }
        }
        return rows
    }()

    /// A row is `NAME,NAME inputs > outputs | options ; T: types`.
    private static func read(_ line: Substring) -> OperatorRequirement {
        let parts = line.split(separator: ";")
        var typeVariables: [Character: TypeSet] = [:]
        for definition in parts.dropFirst() {
            let sides = definition.split(separator: ":")
            typeVariables[sides[0].drop { $0 == " " }.first!] = TypeSet(sides[1].split(separator: " ")[0])
        }
        return OperatorRequirement(parts[0].drop { $0 != " " }, typeVariables: typeVariables)
    }
}

extension OperatorTable {
    /// Operators on single elements, or on pairs of elements of two operands. Old exporters declare the sum of
    /// quantized operands as float32 when it is used in another sum.
    static let arithmetic = """
        # Of one operand
        ABS                      T~            > T~            ; T: f32,f16,bf16,i8,i16,i32
        NEG                      T             > T             ; T: f32,f16,bf16,i32,i64,i8,i16
        SIGN                     T             > T             ; T: f32,f64,f16,bf16,i32
        CEIL,FLOOR,ROUND,SQUARE  T             > T             ; T: f32,f16,bf16
        SIN,COS                  T             > T             ; T: f32,f16,bf16
        SQRT                     T~            > T~            ; T: f32,f16,bf16,i8,i16
        RSQRT,EXP,LOG            T~            > T~            ; T: f32,f16,bf16,i8,i16
        RELU,RELU6               T~            > T~            ; T: f32,f16,bf16,i8,u8,i16
        RELU_N1_TO_1,RELU_0_TO_1 T~            > T~            ; T: f32,f16,bf16,i8,u8,i16
        TANH,LOGISTIC            T~            > T~            ; T: f32,f16,bf16,i8,u8,i16
        ELU,GELU,HARD_SWISH      T~            > T~            ; T: f32,f16,bf16,i8,u8
        LEAKY_RELU               T~            > T~            ; T: f32,f16,bf16,i8,u8,i16
        SOFTMAX                  T~/1-         > T~            ; T: f32,f16,bf16
        SOFTMAX                  T~/1-         > U~            ; T: i8,u8,i16 ; U: i8,u8,i16
        LOG_SOFTMAX              T~/1-         > T~            ; T: f32,f16,bf16,i8,u8
        LOGICAL_NOT              bool          > bool
        ZEROS_LIKE               T             > T             ; T: f32,f16,bf16,i8,u8,i16,i32,i64,bool
        CAST                     plain         > plain
        QUANTIZE                 f32,f16,bf16  > i8,u8,i16,i4,u4,i2,i32,f16,bf16,f32
        QUANTIZE                 i8,u8,i16,i32~ > i8,u8,i16,i32~
        DEQUANTIZE               T^            > f32,f16       ; T: i8,u8,i16,f16,bf16,i4,u4,i2,f8a,f8b
        FAKE_QUANT               T             > T | 58 2=2-16 ; T: f32
        BITCAST                  plain         > plain
        COMPLEX_ABS,REAL,IMAG    c64           > f32
        COMPLEX_ABS,REAL,IMAG    c128          > f64
        BUCKETIZE                f32,f64,i32,i64 > i32

        # Of two
        SUB                      T~ T~         > T~            ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        # R16 needs to know whether the kernel adds int16 operands by shifts
        ADD                      T~ T~         > T~ | 11 1b=0-1,1 ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        ADD                      T~ T~         > f32           ; T: i8,u8
        ADD                      f32,i8,u8~ f32,i8,u8~ > i8,u8~
        MUL                      T~ T~         > T~            ; T: f32,f16,bf16,i8,u8,i32,u32,i64,c64
        MUL                      i16 i16       > i16,i32
        DIV                      T~ T~         > T~            ; T: f32,f16,bf16,i8,u8,i16
        DIV                      i32= i32=     > i32
        SQUARED_DIFFERENCE       T~ T~         > T~            ; T: f32,f16,bf16,i8,u8,i32
        MAXIMUM,MINIMUM          T~ T~         > T~            ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        POW                      T T           > T             ; T: f32,f16,bf16,i32
        FLOOR_DIV                T T           > T             ; T: f32,f16,bf16,i8,i16,i32
        FLOOR_MOD                T T           > T             ; T: f32,f16,bf16,i8,i16,i32,i64
        ATAN2                    T[S] T[S]     > T[S]          ; T: f32,f64,f16,bf16
        BITWISE_XOR,RIGHT_SHIFT  T T           > T             ; T: i8,u8,i16,u16,i32,u32,bool
        PRELU                    T~ T~         > T~            ; T: f32,f16,bf16,i8,u8,i16
        EQUAL,NOT_EQUAL          T~ T~         > bool          ; T: bool,f32,f16,bf16,i8,u8,i16,i32,i64,str
        LESS,LESS_EQUAL          T~ T~         > bool          ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        GREATER,GREATER_EQUAL    T~ T~         > bool          ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        LOGICAL_AND,LOGICAL_OR   bool bool     > bool
        ADD_N                    +T[S]         > T             ; T: f32,i32,var
        SELECT,SELECT_V2         bool T T      > T             ; T: plain
        """
}

extension OperatorTable {
    /// Convolutions, products of matrices, and cells that keep state.
    static let matrices = """
        CONV_2D                  f32,f16/4 f32,f16,bf16,i8,i4/4^ ?f32,f16/1  > f32,f16  | 1 1=1- 2=1- 4=1-,1 5=1-,1
        CONV_2D                  T~/4 T^/4 ?i32/1                            > T~       | 1 1=1- 2=1- 4=1-,1 5=1-,1 ; T: u8
        CONV_2D                  T~/4 i8,i4,i2^/4 ?i32/1                     > T~       | 1 1=1- 2=1- 4=1-,1 5=1-,1 ; T: i8
        CONV_2D                  T~/4 i8,i4^/4 ?i32,i64/1                    > T~       | 1 1=1- 2=1- 4=1-,1 5=1-,1 ; T: i16
        DEPTHWISE_CONV_2D        f32,f16/4 f32,f16,bf16,i8,i4/4^ -f32,f16/1   > f32,f16  | 2 1=1- 2=1- 5=1-,1 6=1-,1
        DEPTHWISE_CONV_2D        T~/4 T^/4 -i32/1                             > T~       | 2 1=1- 2=1- 5=1-,1 6=1-,1 ; T: u8
        DEPTHWISE_CONV_2D        T~/4 i8,i4^/4 -i32/1                         > T~       | 2 1=1- 2=1- 5=1-,1 6=1-,1 ; T: i8
        DEPTHWISE_CONV_2D        T~/4 i8,i4^/4 -i32,i64/1                     > T~       | 2 1=1- 2=1- 5=1-,1 6=1-,1 ; T: i16
        TRANSPOSE_CONV           i32/1 f32,f16,i8/4^ f32,f16/4 ?f32,f16/1    > f32,f16  | 49 1=1- 2=1-
        TRANSPOSE_CONV           i32/1 u8^/4 T~/4 ?i32/1                     > T~       | 49 1=1- 2=1- ; T: u8
        TRANSPOSE_CONV           i32/1 i8^/4 T~/4 ?i32,i64/1                 > T~       | 49 1=1- 2=1- ; T: i8,i16
        CONV_3D                  f32/5 f32/5 ?f32/1                          > f32      | 106 1=1- 2=1- 3=1- 5=1-,1 6=1-,1 7=1-,1
        CONV_3D_TRANSPOSE        i32/1 f32/5 f32/5 ?f32/1                    > f32      | 106 1=1- 2=1- 3=1- 5=1-,1 6=1-,1 7=1-,1

        FULLY_CONNECTED          f32,f16 f32,f16,bf16,i8,u8,i4,i2& ?f32,f16  > *f32,f16,i8
        FULLY_CONNECTED          i8,u8,i16~ i8,u8,i16,i4,i2& ?i32,i64         > i8,u8,i16~
        # R20 needs to know whether the second operand is transposed
        BATCH_MATMUL             f32,f16,bf16/2- f32,f16,bf16/2-             > f32,f16,bf16 | 101 1b=0-1
        BATCH_MATMUL             f32/2-#1- i8,i4/2-#1-^                      > f32
        BATCH_MATMUL             T~/2- i8,i4/2-^                             > i8,i32~  ; T: i8
        BATCH_MATMUL             T~/2- T~/2-                                 > T~       ; T: i16,u8
        BATCH_MATMUL             i16~/2- i8/2-^                              > i16~

        # Hearth's own kernels read these operands; the engine itself runs no operators with state.
        LSTM,RNN,SVDF                                             ??*any  > *any
        UNIDIRECTIONAL_SEQUENCE_LSTM,UNIDIRECTIONAL_SEQUENCE_RNN  ??*any  > *any
        BIDIRECTIONAL_SEQUENCE_LSTM,BIDIRECTIONAL_SEQUENCE_RNN    ??*any  > *any
        """
}

extension OperatorTable {
    /// Operators on images and volumes, channels last.
    static let images = """
        AVERAGE_POOL_2D            T~/4                       > T~  | 5 1=1- 2=1- 3=1- 4=1- ; T: f32,f16,bf16,i8,u8,i16
        MAX_POOL_2D                T~/4                       > T~  | 5 1=1- 2=1- 3=1- 4=1- ; T: f32,f16,bf16,i8,u8,i16
        L2_POOL_2D                 T/4                        > T   | 5 1=1- 2=1- 3=1- 4=1- ; T: f32,f16
        RESIZE_BILINEAR            T/4 i32/1#2>               > T   ; T: f32,f16,bf16,i8,u8,i16
        RESIZE_NEAREST_NEIGHBOR    T/4 i32/1#2>               > T   ; T: f32,f16,bf16,i8,u8,i16,i32,u32,u16,bool
        DEPTH_TO_SPACE             T/4                        > T   | 94 0=1- ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        SPACE_TO_DEPTH             T/4                        > T   | 19 0=1- ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        SPACE_TO_BATCH_ND          T/3-4 i32/1#1-2> i32/2#2-4 > T   ; T: plain
        BATCH_TO_SPACE_ND          T/3-4 i32/1#1-2> i32/2#2-4 > T   ; T: plain
        LOCAL_RESPONSE_NORMALIZATION T/4                      > T   | 13 0=0- ; T: f32
        L2_NORMALIZATION           T~                         > T~  ; T: f32,f16,i8,u8,i16
        RFFT2D                     f32/2- i32/1#2>            > c64
        DILATE                     T/1- i32/1> T              > T   ; T: plain
        """
}

extension OperatorTable {
    /// Operators that combine the elements of a dimension, sort them or count them.
    static let reductions = """
        SUM,MEAN                   T~ i32#1-8                 > T~      ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        REDUCE_PROD                T~ i32#1-8                 > T~      ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        REDUCE_MAX,REDUCE_MIN      T i32#1-8                  > T       ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        REDUCE_ANY,REDUCE_ALL      bool i32#1-8               > bool
        # R19: the kernel takes the type from the options: 2 is int32, 4 is int64
        ARG_MAX                    f32,f16,bf16,i8,u8,i16,i32,i64,bool i32,i64#1 > i32 | 40 0b=2-2
        ARG_MAX                    f32,f16,bf16,i8,u8,i16,i32,i64,bool i32,i64#1 > i64 | 40 0b=4-4
        ARG_MIN                    f32,f16,bf16,i8,u8,i16,i32,i64,bool i32,i64#1 > i32 | 57 0b=2-2
        ARG_MIN                    f32,f16,bf16,i8,u8,i16,i32,i64,bool i32,i64#1 > i64 | 57 0b=4-4
        CUMSUM                     T i32#1                    > T       ; T: f32,i32,i64
        TOPK_V2                    T/1- i16,i32#1             > T i16,i32 ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        UNIQUE                     T/1                        > T i32,i64 ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        SEGMENT_SUM                T/1- i32/1                 > T       ; T: f32,i32
        UNSORTED_SEGMENT_SUM,UNSORTED_SEGMENT_PROD T i32 i32#1 > T      ; T: f32,i32
        UNSORTED_SEGMENT_MAX,UNSORTED_SEGMENT_MIN  T i32 i32#1 > T      ; T: f32,i32
        WHERE                      bool,f32,i32,i64,i8,u8,u32 > i64
        NON_MAX_SUPPRESSION_V4     f32/2 f32/1 i32#1 f32#1 f32#1       > i32 i32
        NON_MAX_SUPPRESSION_V5     f32/2 f32/1 i32#1 f32#1 f32#1 f32#1 > i32 f32 i32
        """
}

extension OperatorTable {
    /// Operators that move elements, and return or create shapes.
    static let shapes = """
        RESHAPE                    T _i32,i64#0-8             > T   ; T: any
        SQUEEZE                    T                          > T   ; T: any
        EXPAND_DIMS                T i32,i64#1                > T   ; T: any
        TRANSPOSE                  T/1-8 i32,i64/1#1-8        > T   ; T: plain
        PAD,MIRROR_PAD             T i32,i64,i8,i16/2         > T   ; T: plain
        PADV2                      T i32,i64,i8,i16/2 T#1     > T   ; T: plain
        TILE                       T i32,i64/1#0-8             > T   ; T: plain,str
        BROADCAST_TO               T/0-8 i32,i64/1#0-8        > T   ; T: plain
        BROADCAST_ARGS             T/1 T/1                    > T   ; T: i32,i64
        CONCATENATION              +T                         > T   ; T: plain
        PACK                       +T                         > T   ; T: plain
        UNPACK                     T/1-                       > +T  ; T: plain
        SPLIT                      i32#1 T/1-                 > +T  ; T: plain
        SPLIT_V                    T/1- i32,i64#1- i32,i64#1  > +T  ; T: plain
        SLICE                      T i32,i64#1-8 i32,i64#1-8  > T   ; T: plain,str
        STRIDED_SLICE              T i32/1#0-8 i32/1#0-8 i32/1#0-8 > T ; T: plain,str
        DYNAMIC_UPDATE_SLICE       T T i32,i64/1#0-8          > T   ; T: plain
        REVERSE_V2                 T/1- i32/1#1-              > T   ; T: plain
        REVERSE_SEQUENCE           T/1- i32,i64/1 > T | 87 0=0-7 1=0-7 ; T: plain
        # R19, as for ARG_MAX
        SHAPE                      any                        > i32 | 55 0b=2-2
        SHAPE                      any                        > i64 | 55 0b=4-4
        RANK                       any                        > i32
        FILL                       i32,i64/1#0-8 T#1              > T   ; T: plain,str
        RANGE                      T#1 T#1 T#1                > T   ; T: i32,i64,f32
        ONE_HOT                    i32,i64 i32#1 T#1 T#1      > T   ; T: f32,f16,i8,u8,i16,i32,i64,bool
        MATRIX_DIAG                T/1-                       > T   ; T: plain
        MATRIX_SET_DIAG            T/2- T/1-                  > T   ; T: plain
        """
}

extension OperatorTable {
    /// Operators that read or write elements by index or key.
    static let lookups = """
        GATHER                     T/1- i16,i32,i64           > T       ; T: plain,str
        GATHER_ND                  T/1- i16,i32,i64/1-        > T       ; T: plain,str
        SCATTER_ND                 i32/1- T i32/1             > T       ; T: plain
        SPARSE_TO_DENSE            i32,i64 i32,i64 T T#1      > T       ; T: f32,i8,u8,i32,i64
        EMBEDDING_LOOKUP           i32/1 T/2-                 > T       ; T: plain
        EMBEDDING_LOOKUP           i32/1 i8,u8,i4,i2/2-&      > f32,f16
        EMBEDDING_LOOKUP_SPARSE    i32/1 i32/2 i32/1 f32/1 f32/2- > f32
        HASHTABLE_LOOKUP           i32/1 i32/1 T/1-           > T u8    ; T: plain,str
        LSH_PROJECTION             f32/2 any ?f32/1           > i32
        SKIP_GRAM                  str#1                      > str
        DENSIFY                    T                          > T       ; T: f32,f16,i8
        HASHTABLE                                             > res
        HASHTABLE_FIND             res T U                    > U       ; T: i32,i64,str ; U: f32,i32,i64,str
        HASHTABLE_IMPORT           res T U                    >         ; T: i32,i64,str ; U: f32,i32,i64,str
        HASHTABLE_SIZE             res                        > i64
        """
}

extension OperatorTable {
    /// Random numbers, variables, control flow, operators of StableHLO, and custom operators.
    static let others = """
        RANDOM_UNIFORM,RANDOM_STANDARD_NORMAL i32/1#0-8       > f32
        MULTINOMIAL                f32/2 i32#1                > i32,i64
        VAR_HANDLE                                            > res
        READ_VARIABLE              res                        > plain
        ASSIGN_VARIABLE            res plain#1-               >

        IF                         bool *any                  > *any
        WHILE                      *any                       > *any
        CALL_ONCE                                             >
        STABLEHLO_CASE             i32#1 +any                 > +any
        STABLEHLO_COMPOSITE        +any                       > +any

        STABLEHLO_ADD,STABLEHLO_MULTIPLY    T[S] T[S]         > T       ; T: plain
        STABLEHLO_MAXIMUM,STABLEHLO_MINIMUM T[S] T[S]         > T       ; T: plain
        STABLEHLO_AND              T[S] T[S]                  > T       ; T: plain
        STABLEHLO_SHIFT_LEFT       T[S] T[S]                  > T       ; T: i8,i16,i32,i64,u8,u16,u32,u64
        STABLEHLO_PAD              T T#1                      > T       ; T: plain
        STABLEHLO_GATHER           T i32,i64                  > T       ; T: plain
        STABLEHLO_SCATTER          T i32,i64 T                > T       ; T: plain
        STABLEHLO_REDUCE_WINDOW    +T                         > +T      ; T: plain
        REDUCE_WINDOW              T T#1 i64/1> i64/1> i64/1> > T       ; T: plain
        STABLEHLO_RNG_BIT_GENERATOR u64/1                     > u64 i32,u32,i64,u64

        CUSTOM                     ?*any                      > *any
        """
}
