//! Replaces an operating system: memory, output, exit. A firmware has its own versions of these.
//!
//! Output and exit are calls to a debugger ("semihosting"), which QEMU also implements.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::asm;
use core::cell::UnsafeCell;
use core::fmt;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicUsize, Ordering};

/// The size of the heap in bytes: the weights twice (as in the file, and prepared), accumulators, the buffer of the reader.
const BYTES: usize = 3 << 20;

/// Memory that is allocated and never freed.
#[repr(align(64))]
struct Heap {
    memory: UnsafeCell<[u8; BYTES]>,
    used: AtomicUsize,
}

#[global_allocator]
static HEAP: Heap = Heap {
    memory: UnsafeCell::new([0; BYTES]),
    used: AtomicUsize::new(0),
};

// SAFETY: each part of the memory is allocated once, because `used` only grows, and nothing else accesses it.
unsafe impl Sync for Heap {}

// SAFETY: the blocks are in `memory`, one after the other, each with the requested size and alignment; none is allocated twice.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let base = self.memory.get().cast::<u8>();
        let end_of = |used: usize| {
            (base.addr() + used).next_multiple_of(layout.align()) - base.addr() + layout.size()
        };
        match self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                Some(end_of(used)).filter(|&end| end <= BYTES)
            }) {
            Ok(used) => base.wrapping_add(end_of(used) - layout.size()),
            Err(_) => core::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// The output for text.
pub(crate) struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            call(WRITE_CHARACTER, (&raw const byte).addr());
        }
        Ok(())
    }
}

const WRITE_CHARACTER: usize = 0x03;
const EXIT: usize = 0x18;
const EXIT_NORMALLY: usize = 0x2_0026;
const EXIT_WITH_ERROR: usize = 0x2_0023;

/// Calls the debugger.
fn call(operation: usize, argument: usize) {
    // SAFETY: the breakpoint requests one of the operations above, none of which changes memory of the program.
    unsafe { asm!("bkpt 0xab", inout("r0") operation => _, in("r1") argument, options(nostack)) }
}

fn exit(reason: usize) -> ! {
    loop {
        call(EXIT, reason);
    }
}

unsafe extern "C" {
    static mut data_start: u8;
    static mut data_end: u8;
    static data_source: u8;
}

/// The entry point. Memory is zero at this time.
#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    /// Access to the floating-point unit, which is disabled at first.
    const COPROCESSOR_ACCESS: *mut u32 = 0xE000_ED88 as *mut u32;
    // SAFETY: the address is that of this register, and the bits enable access. No earlier instruction uses the unit.
    unsafe { COPROCESSOR_ACCESS.write_volatile(0xF << 20) };
    let (first, end) = (&raw mut data_start, &raw mut data_end);
    // SAFETY: the linker script puts the initial values there, as many; nothing has used the variables yet.
    unsafe { (&raw const data_source).copy_to_nonoverlapping(first, end.addr() - first.addr()) };
    exit(if crate::main().is_ok() {
        EXIT_NORMALLY
    } else {
        EXIT_WITH_ERROR
    })
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let _ = fmt::Write::write_fmt(&mut Console, format_args!("{info}\n"));
    exit(EXIT_WITH_ERROR)
}
