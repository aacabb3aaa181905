extension OperatorTable {
    /// Operators that take each element by itself, or the elements of two operands. Old exporters call the sum of quantized
    /// operands float32 where it goes into another sum.
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
        ADD,SUB                  T~ T~         > T~            ; T: f32,f16,bf16,i8,u8,i16,i32,i64
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
