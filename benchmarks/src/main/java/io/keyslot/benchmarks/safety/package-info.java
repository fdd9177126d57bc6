// SPDX-License-Identifier: Apache-2.0
/** Builds of the client in which one thing that makes it safe is switched off, to find out what that costs. */
@NullMarked
package io.keyslot.benchmarks.safety;

import org.jspecify.annotations.NullMarked;
