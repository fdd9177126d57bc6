// SPDX-License-Identifier: Apache-2.0
/** The test kit from within. */
@NullMarked
package io.keyslot.testkit;

import org.jspecify.annotations.NullMarked;
