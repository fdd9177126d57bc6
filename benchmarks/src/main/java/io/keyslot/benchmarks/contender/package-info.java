// SPDX-License-Identifier: Apache-2.0
/** The caches that are compared, behind one interface. */
@NullMarked
package io.keyslot.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
