// SPDX-License-Identifier: Apache-2.0
/** The servers that contenders share. */
@NullMarked
package io.keyslot.benchmarks.server;

import org.jspecify.annotations.NullMarked;
