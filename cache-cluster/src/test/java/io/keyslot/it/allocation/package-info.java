// SPDX-License-Identifier: Apache-2.0
/** What a call allocates, against what is written down. {@code docs/contributing/testing-faults.md} says how to renew the figures. */
@NullMarked
package io.keyslot.it.allocation;

import org.jspecify.annotations.NullMarked;
