// SPDX-License-Identifier: Apache-2.0
/** Holds the documents and the code together: what a document names is there. */
@NullMarked
package io.keyslot.documents;

import org.jspecify.annotations.NullMarked;
