// SPDX-License-Identifier: Apache-2.0
/** The programs that docs/access.md offers for the logins of cloud services, with their tests. */
@NullMarked
package io.keyslot.it.credentials;

import org.jspecify.annotations.NullMarked;
