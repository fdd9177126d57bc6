// SPDX-License-Identifier: Apache-2.0
/** Runs the conformance tests of JSR-107 against both engines and checks that none was left out unnoticed. */
@NullMarked
package io.keyslot.tck;

import org.jspecify.annotations.NullMarked;
