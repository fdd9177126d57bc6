// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks, with competitors in the same run. {@code docs/benchmarks.md} explains how to run them. */
@NullMarked
package io.keyslot.benchmarks;

import org.jspecify.annotations.NullMarked;
