// SPDX-License-Identifier: Apache-2.0
/** The servers that the contenders share. */
@NullMarked
package io.keyslot.benchmarks.server;

import org.jspecify.annotations.NullMarked;
